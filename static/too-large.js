// Says that a file is too large, and does not send it: the server would not even receive it.
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
