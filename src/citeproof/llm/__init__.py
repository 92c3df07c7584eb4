"""A second reading of a reference's raw text by a language model, held to what the text says."""
