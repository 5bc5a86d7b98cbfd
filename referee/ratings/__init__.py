"""What results say about who is better."""
