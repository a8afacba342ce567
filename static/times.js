// Says every <time> in the zone of the reader, as day_and_hour in web/common/numbers.py does; without this script it is
// in the server's.
for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(time.dateTime);
  const hour = at.toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit" }).replace("\u202f", " ");
  const recent = Date.now() - at < 6 * 24 * 3600 * 1000;
  const day = at.toLocaleDateString("en-US", recent ? { weekday: "long" } : { month: "short", day: "numeric", year: "numeric" });
  time.textContent = recent ? `${day} ${hour}` : `${day}, ${hour}`;
}
