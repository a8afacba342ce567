// Puts the time zone of this phone into the form that starts a club: the club's days begin there at midnight.
document.getElementById("zone").value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
