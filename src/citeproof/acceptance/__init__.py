"""What a person has checked: entries that are accepted as they are, kept in a file beside their bibliography."""
