"""What shows a lesson: its steps, what a visitor really did, the guide beside the page."""
