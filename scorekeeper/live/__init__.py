"""Push notifications (server-sent events) to open pages when their game or club changes."""
