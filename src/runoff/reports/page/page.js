
"use strict";
(() => {
  const root = document.documentElement;
  const said = document.getElementById("said");
  const say = (text) => { said.textContent = text; };

  const button = (text, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", act);
    return made;
  };

  const download = (name, type, text) => {
    const link = document.createElement("a");
    const address = URL.createObjectURL(new Blob([text], { type }));
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    say(name + " saved");
  };

  // The theme: the system's until the button is used; it is not kept.
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const themes = document.querySelectorAll(".theme");
  const showTheme = () => themes.forEach((one) => { one.textContent = isDark() ? "Light" : "Dark"; });
  themes.forEach((one) => {
    one.hidden = false;
    one.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; showTheme(); });
  });
  system.addEventListener("change", showTheme);
  showTheme();

  // Charts: saved as they look now, with their colours written out.
  const chartFile = (figure) => {
    const drawn = [...figure.querySelectorAll("svg")].find((svg) => svg.getBoundingClientRect().width > 0);
    const style = getComputedStyle(root);
    return new XMLSerializer().serializeToString(drawn)
      .replace(/var\((--c\d+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  };
  document.querySelectorAll("figure:has(svg)").forEach((figure) => {
    figure.querySelector(".tools").append(
      button("Save as SVG", () => download(figure.dataset.name + ".svg", "image/svg+xml", chartFile(figure))),
    );
  });

  // Tables: sorted by their heads, searched, saved as CSV.
  const valueOf = (cell) => (cell.dataset.v === undefined ? cell.textContent : cell.dataset.v);
  const field = (text) => (/[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text);
  const compare = (numeric) => (a, b) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    return numeric ? Number(a) - Number(b) : a.localeCompare(b, "en", { numeric: true });
  };

  const setUp = (box) => {
    const table = box.querySelector("table");
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    const rows = [...body.rows];
    const tools = box.querySelector(".tools");
    const title = table.caption.textContent;

    heads.forEach((head, place) => {
      const numeric = head.classList.contains("n");
      const order = compare(numeric);
      const act = button(head.textContent, () => {
        const down = head.getAttribute("aria-sort") !== "descending" && (numeric || head.hasAttribute("aria-sort"));
        heads.forEach((one) => one.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const keyed = rows.map((row) => [valueOf(row.cells[place]), row]);
        const last = (a, b) => (a[0] === "" || b[0] === "" ? (a[0] === "") - (b[0] === "") : 0);
        keyed.sort((a, b) => last(a, b) || (down ? order(b[0], a[0]) : order(a[0], b[0])));
        body.append(...keyed.map(([, row]) => row));
        say(title + ": sorted by " + act.textContent + (down ? ", descending" : ", ascending"));
      });
      act.className = "sort";
      head.replaceChildren(act);
    });

    if (tools && box.hasAttribute("data-filter")) {
      const label = document.createElement("label");
      const input = document.createElement("input");
      const count = document.createElement("span");
      input.type = "search";
      input.autocomplete = "off";
      const show = () => {
        const wanted = input.value.trim().toLowerCase();
        let shown = 0;
        rows.forEach((row) => {
          row.hidden = !row.textContent.toLowerCase().includes(wanted);
          shown += row.hidden ? 0 : 1;
        });
        count.textContent = shown + " of " + rows.length;
        say(title + ": " + count.textContent + " rows");
      };
      input.addEventListener("input", show);
      label.append("Search ", input);
      count.className = "count";
      count.textContent = rows.length + " rows";
      tools.append(label, count);
    }
    if (!tools) return;
    tools.append(button("Save as CSV", () => {
      const lines = [heads.map((head) => head.dataset.name), ...rows.map((row) => [...row.cells].map(valueOf))];
      download(box.dataset.name + ".csv", "text/csv", lines.map((line) => line.map(field).join(",")).join("\n") + "\n");
    }));
  };
  const setUpAll = (part) => part.querySelectorAll(".table").forEach(setUp);
  setUpAll(document);
  // A page that replaces a part of itself says so, and the tables of the new part are set up too.
  document.addEventListener("replaced", (event) => setUpAll(event.target));

  // Print shows everything; afterwards what was folded is folded again.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open]):not(.menu)")];
    folded.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((one) => { one.open = false; }));

  // A link into a fold opens it, in browsers that do not do so themselves.
  const unfold = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const fold = target && target.closest("details:not([open])");
    if (fold) { fold.open = true; target.scrollIntoView(); }
  };
  addEventListener("hashchange", unfold);
  unfold();

  // Contents: close the menu after a choice, and mark where the reader is.
  const menu = document.querySelector(".menu");
  if (menu) menu.addEventListener("click", (event) => { if (event.target.closest("a")) menu.open = false; });
  const links = [...document.querySelectorAll(".side a, .menu a")];
  const mark = (name) => links.forEach((link) => {
    if (link.hash === "#" + name) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
  const seen = new Set();
  const chapters = [...document.querySelectorAll(".chapter")];
  const watch = new IntersectionObserver((entries) => {
    entries.forEach((entry) => (entry.isIntersecting ? seen.add(entry.target) : seen.delete(entry.target)));
    const first = chapters.find((chapter) => seen.has(chapter));
    if (first) mark(first.dataset.name);
  }, { rootMargin: "-15% 0px -60% 0px" });
  chapters.forEach((chapter) => watch.observe(chapter));
})();
