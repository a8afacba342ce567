"""The app on a phone's home screen, and what it can do without a signal (docs/offline.md).

Hands that were entered meanwhile are sent to web/hand_entry (offline.py there), and saved in services/hands.py.
"""
