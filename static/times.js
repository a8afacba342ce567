// Says every <time> in the zone of whoever reads the page; without this script it is the server's.
for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(time.dateTime);
  const hour = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const recent = Date.now() - at < 6 * 24 * 3600 * 1000;
  const day = at.toLocaleDateString("en-GB", recent ? { weekday: "long" } : { day: "numeric", month: "long", year: "numeric" });
  time.textContent = recent ? `${day} ${hour}` : `${day}, ${hour}`;
}
