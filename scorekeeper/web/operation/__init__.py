"""What whoever runs the server looks at: whether it is well, its log, its numbers."""
