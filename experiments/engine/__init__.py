"""What carries runs out: a service that takes them in turns, its worker processes, and the news they send."""
