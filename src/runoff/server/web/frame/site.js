"use strict";
(() => {
  const root = document.documentElement;
  const said = document.getElementById("said");
  const say = (text) => { said.textContent = text; };

  // Charts are pictures for light and for dark paper: they follow the button as the page does.
  const widths = { phone: "(max-width: 40rem)", page: "all" };
  const system = { dark: "(prefers-color-scheme: dark)", light: "all" };
  const matchCharts = () => document.querySelectorAll("source[data-theme-of]").forEach((source) => {
    const theme = root.dataset.theme;
    const own = source.dataset.themeOf;
    const width = widths[source.dataset.width];
    if (!theme) source.media = own === "dark" ? (width === "all" ? "" : width + " and ") + system.dark : width;
    else source.media = own === theme ? width : "not all";
  });
  new MutationObserver(matchCharts).observe(root, { attributeFilter: ["data-theme"] });

  // A part of the page is replaced by the same part of the page at another address.
  const replacePart = async (part, address, asked) => {
    const answer = await fetch(address, { credentials: "same-origin", signal: asked && asked.signal });
    if (!answer.ok) throw new Error(String(answer.status));
    const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(part.id);
    if (!found) throw new Error("no part");
    part.replaceWith(document.adoptNode(found));
    matchCharts();
    found.dispatchEvent(new CustomEvent("replaced", { bubbles: true }));
    return found;
  };

  // On a phone a row is a card: each value has the heading of its column beside it.
  const label = (part) => part.querySelectorAll("table").forEach((table) => {
    const names = [...table.querySelectorAll("thead th")].map((heading) => heading.textContent);
    table.querySelectorAll("tbody tr").forEach((row) => {
      [...row.children].forEach((cell, place) => { cell.dataset.l ??= names[place]; });
    });
  });
  label(document);
  document.addEventListener("replaced", (event) => label(event.target));

  // Filters answer at once; without this script their button does.
  document.querySelectorAll("form[data-live]").forEach((form) => {
    let asked = null;
    const show = async () => {
      const part = document.getElementById(form.dataset.live);
      const fields = [...new FormData(form)].filter(([, value]) => value !== "");
      const address = form.getAttribute("action") + "?" + new URLSearchParams(fields);
      if (asked) asked.abort();
      asked = new AbortController();
      part.classList.add("busy");
      try {
        await replacePart(part, address, asked);
        history.replaceState(null, "", address);
        say("The table is up to date.");
      } catch (error) {
        if (error.name !== "AbortError") location.assign(address);
      }
    };
    form.addEventListener("change", show);
    form.addEventListener("submit", (event) => { event.preventDefault(); show(); });
  });

  // Whoever fills in a form or sends a file is not to lose it to a page that loads itself again.
  let touched = false;
  ["input", "submit"].forEach((name) => document.addEventListener(name, () => { touched = true; }));

  // What waits or goes on, such as a run that is scored: asked again until it is done.
  const wait = (part) => {
    const seconds = Number(part.dataset.refresh);
    if (!seconds) return;
    setTimeout(async () => {
      try {
        const fresh = await replacePart(part, part.dataset.from || location.href);
        // In another state the rest of the page is another too.
        if (fresh.dataset.state !== part.dataset.state && !touched) location.reload();
        else if (!fresh.dataset.refresh) say(fresh.dataset.done || "The run is done.");
        wait(fresh);
      } catch { wait(part); }
    }, seconds * 1000);
  };
  document.querySelectorAll("[data-refresh]").forEach(wait);

  // Uploads: how much has arrived; the answer is a page, as without a script.
  const watchUpload = (form) => {
    const bar = form.querySelector("progress");
    const text = form.querySelector(".arrived");
    const buttons = form.querySelectorAll("button");
    form.addEventListener("submit", (event) => {
      const file = form.querySelector("input[type=file]");
      if (!file.files.length) return;
      event.preventDefault();
      const content = new FormData(form, event.submitter);
      const request = new XMLHttpRequest();
      const done = (sentence) => {
        text.textContent = sentence;
        say(sentence);
        buttons.forEach((one) => { one.disabled = false; });
      };
      // Not form.action: that is the button of this name.
      const target = new URL(form.getAttribute("action"), location.href);
      request.open("POST", target);
      request.upload.addEventListener("progress", (now) => {
        if (!now.lengthComputable) return;
        bar.value = now.loaded / now.total;
        text.textContent = Math.round(100 * bar.value) + "% of " + (now.total / 1e6).toFixed(1) + " MB sent";
      });
      request.upload.addEventListener("load", () => done("Everything has been sent; the server reads the file."));
      request.addEventListener("error", () => done("The connection broke. Nothing was submitted; send it again."));
      request.addEventListener("load", () => {
        if (request.responseURL && new URL(request.responseURL).pathname !== target.pathname) {
          location.assign(request.responseURL);
          return;
        }
        const page = new DOMParser().parseFromString(request.responseText, "text/html");
        // What was done changes the rest of the page too; what was refused leaves the form as it is.
        const part = request.status === 200 && form.dataset.upload === "page" ? "content" : "answer";
        const fresh = page.getElementById(part);
        const here = document.getElementById(part);
        if (fresh && here) {
          here.replaceWith(document.adoptNode(fresh));
          fresh.scrollIntoView({ block: part === "content" ? "start" : "nearest" });
          fresh.focus();
          done("");
          fresh.dispatchEvent(new CustomEvent("replaced", { bubbles: true }));
          fresh.querySelectorAll("[data-refresh]").forEach(wait);
          fresh.querySelectorAll("form[data-upload]").forEach(watchUpload);
          const notice = fresh.querySelector(".notice");
          if (notice) say(notice.textContent);
        } else done("The server answered with status " + request.status + "; nothing was submitted.");
      });
      bar.hidden = false;
      bar.value = 0;
      buttons.forEach((one) => { one.disabled = true; });
      request.send(content);
    });
  };
  document.querySelectorAll("form[data-upload]").forEach(watchUpload);
})();
