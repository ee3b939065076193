"""``bareloop eval``: how well and at what cost questions of a public set are answered."""
