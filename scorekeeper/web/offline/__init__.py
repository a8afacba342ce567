"""The installed app and its offline use (docs/offline.md).

Hands entered offline are posted to web/hand_entry (offline.py there) and saved by services/hands.py.
"""
