// Rejects a file that is too large before it is sent, since the server would not receive it.
(() => {
  const field = document.getElementById("file");
  const sorry = document.getElementById("too-large");

  const look = () => {
    const large = [...field.files].some((file) => file.size > Number(field.dataset.most));
    sorry.textContent = large ? sorry.dataset.sorry : "";
    return large;
  };

  field.addEventListener("change", look);
  field.form.addEventListener("submit", (event) => look() && event.preventDefault());
})();
