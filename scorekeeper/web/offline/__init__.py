"""The app on a phone's home screen, and what it can do without a signal (docs/offline.md)."""
