"""The title index: the exact best match among millions of titles in milliseconds, so that a miss is proved."""
