"""Tables, figures and reports to take along."""
