"""How many examples a property is tried with: few in the suite, the same ones every time; as many
as PROPERTY_EXAMPLES says in the long target, other ones every time."""

from __future__ import annotations

import os
import tempfile

from hypothesis import HealthCheck, configuration, settings

from tests.properties.budget import EXAMPLES, FEW

configuration.set_hypothesis_home_dir(os.path.join(tempfile.gettempdir(), "bareloop-properties"))
settings.register_profile(
    "bareloop",
    max_examples=EXAMPLES,
    derandomize=EXAMPLES <= FEW,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("bareloop")
