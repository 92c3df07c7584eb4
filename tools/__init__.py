"""Programs for maintainers: the picture of the README, and a release."""
