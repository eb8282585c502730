"use strict";
// Somebody waits for a task: look again every few seconds, as the button does, while the page is before their eyes.
(() => {
  const box = document.getElementById("waiting");
  const form = box.closest("main").querySelector("form[action$='/task']");
  const EVERY = 5000;
  const MOST = 120;
  let looks = 0;
  const tell = (text) => { box.hidden = false; box.textContent = text; };
  const look = async () => {
    if (document.hidden) { later(); return; }
    looks += 1;
    try {
      const answer = await fetch(form.action, {
        method: "POST", body: new URLSearchParams(new FormData(form)), headers: { Accept: "application/json" },
        credentials: "same-origin",
      });
      const state = answer.ok ? (await answer.json()).state : "";
      // Whatever there is now, the page of the campaign tells it.
      if (state !== "wait") { location.assign(box.dataset.address + (state === "nothing" ? "?done=nothing" : "")); return; }
    } catch { /* no connection: the next look may have one */ }
    later();
  };
  const later = () => {
    if (looks >= MOST) { tell("This page no longer checks by itself. Press the button when you are back."); return; }
    setTimeout(look, EVERY);
  };
  tell("This page checks by itself every few seconds.");
  later();
})();
