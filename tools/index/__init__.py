"""Documents as an index: found by words in Korean and English, filtered before scored."""
