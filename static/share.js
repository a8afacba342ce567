// Passes a finished game to the phone's share sheet: text, and pictures as JPEGs. Without a share sheet the text can be
// copied and the picture saved, also without this script.
(() => {
  const find = (id) => document.getElementById(id);
  const text = find("share-text").value;
  const status = find("share-status");
  const offer = (button, act) => {
    button.hidden = false;
    button.addEventListener("click", act);
  };
  // Closing the share sheet is no error.
  const share = (what) => navigator.share(what).catch((error) => {
    if (error.name !== "AbortError") status.textContent = status.dataset.failed;
  });

  // Drawn in advance: only data that is ready at the tap can be shared.
  const draw = (part) => {
    const picture = part.querySelector("img");
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth;
    canvas.height = picture.naturalHeight;
    canvas.getContext("2d").drawImage(picture, 0, 0);
    // Best quality within 60 kB, which messengers send at once; a PNG would be three times as large.
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
  // Over HTTP there is no clipboard API, but a selection can be copied.
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
