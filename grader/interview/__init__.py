"""Interview practice: a lab's questions, and what an answer covers."""
