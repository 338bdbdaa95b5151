"""Tickets: shares of unlike GPUs by user, traded where both sides gain, and made true in turns."""
