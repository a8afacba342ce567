// Sends this phone's time zone with the form that starts a club: the club's days begin at midnight there.
document.getElementById("zone").value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
