// Hands a finished game to the phone's own share sheet: its text, and its picture as a PNG. Where the phone has none,
// the text can be copied and the picture saved; without this script both are on the page as well.
(() => {
  const find = (id) => document.getElementById(id);
  const picture = find("share-picture");
  const text = find("share-text").value;
  const status = find("share-status");
  const offer = (id, act) => {
    find(id).hidden = false;
    find(id).addEventListener("click", act);
  };
  // Whoever closes the share sheet has changed their mind: that is no error.
  const share = (what) => navigator.share(what).catch((error) => {
    if (error.name !== "AbortError") status.textContent = status.dataset.failed;
  });

  const draw = () => {
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth;
    canvas.height = picture.naturalHeight;
    canvas.getContext("2d").drawImage(picture, 0, 0);
    canvas.toBlob(offerPicture, "image/png");
  };
  // Drawn before anybody taps: a phone shares only what is ready at the tap.
  const offerPicture = (blob) => {
    if (!blob) return;
    const save = find("save-picture");
    const file = new File([blob], save.download.replace(/svg$/, "png"), { type: "image/png" });
    save.href = URL.createObjectURL(file);
    save.download = file.name;
    if (navigator.canShare?.({ files: [file] })) offer("share-picture-button", () => share({ files: [file] }));
  };

  if (navigator.share) offer("share-text-button", () => share({ text }));
  // Over plain HTTP there is no clipboard, but what is selected can be copied.
  const copySelected = () => {
    find("share-text").select();
    return document.execCommand("copy");
  };
  offer("copy-text", async () => {
    const copied = await navigator.clipboard?.writeText(text).then(() => true, copySelected) ?? copySelected();
    status.textContent = copied ? status.dataset.copied : status.dataset.failed;
  });
  if (picture.complete && picture.naturalWidth) draw();
  else picture.addEventListener("load", draw);
})();
