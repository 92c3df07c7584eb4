"""What people are shown of a run, in the order in which they read it; the reports differ in form alone."""
