// Hands a finished game to the phone's own share sheet: its text, and its pictures as JPEGs. Where the phone has none,
// the text can be copied and the picture saved; without this script both are on the page as well.
(() => {
  const find = (id) => document.getElementById(id);
  const text = find("share-text").value;
  const status = find("share-status");
  const offer = (button, act) => {
    button.hidden = false;
    button.addEventListener("click", act);
  };
  // Whoever closes the share sheet has changed their mind: that is no error.
  const share = (what) => navigator.share(what).catch((error) => {
    if (error.name !== "AbortError") status.textContent = status.dataset.failed;
  });

  // Drawn before anybody taps: a phone shares only what is ready at the tap.
  const draw = (part) => {
    const picture = part.querySelector("img");
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth;
    canvas.height = picture.naturalHeight;
    canvas.getContext("2d").drawImage(picture, 0, 0);
    // As good as 60 kB allow: a chat sends those at once, and a PNG of it is three times as large.
    const save = (quality) => canvas.toBlob((blob) => {
      if (blob?.size >= 60000 && quality > 0.25) save(quality - 0.1);
      else if (blob) offerPicture(part, blob);
    }, "image/jpeg", quality);
    save(0.8);
  };
  const offerPicture = (part, blob) => {
    const save = part.querySelector("a");
    const file = new File([blob], save.download.replace(/svg$/, "jpg"), { type: "image/jpeg" });
    save.href = URL.createObjectURL(file);
    save.download = file.name;
    if (navigator.canShare?.({ files: [file] })) offer(part.querySelector("button"), () => share({ files: [file] }));
  };

  if (navigator.share) offer(find("share-text-button"), () => share({ text }));
  // Over plain HTTP there is no clipboard, but what is selected can be copied.
  const copySelected = () => {
    find("share-text").select();
    return document.execCommand("copy");
  };
  offer(find("copy-text"), async () => {
    const copied = await navigator.clipboard?.writeText(text).then(() => true, copySelected) ?? copySelected();
    status.textContent = copied ? status.dataset.copied : status.dataset.failed;
  });
  for (const part of document.querySelectorAll(".sent")) {
    const picture = part.querySelector("img");
    if (picture.complete && picture.naturalWidth) draw(part);
    else picture.addEventListener("load", () => draw(part));
  }
})();
