"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const box = find("judging");
  const sheet = JSON.parse(find("sheet").content.textContent);
  const pairs = sheet.pairs;
  const address = box.dataset.address;
  const csrf = box.querySelector("input[name=csrf]").value;
  const forms = { pair: find("pair"), undo: find("undo"), end: find("end") };
  const heading = find("question");
  const saving = find("saving");
  const passages = { left: find("first"), right: find("second") };
  const names = { left: "passage 1", right: "passage 2" };
  const bar = box.querySelector(".steps progress");
  const count = box.querySelector(".steps .count");
  const place = document.title.replace(/^.*? · /, "");

  // What the browser remembers; without storage it remembers as long as the page is open.
  const remembered = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
  const remember = (name, text) => {
    try {
      if (text === null) localStorage.removeItem(name);
      else localStorage.setItem(name, text);
    } catch { /* a full or forbidden storage */ }
  };
  const drawKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  // The region is emptied first, so that the same words are said again.
  const said = find("said");
  const say = (text) => { said.textContent = ""; setTimeout(() => { said.textContent = text; }, 50); };

  // Steps that the server has not acknowledged yet, in order. Each has a key, so that it can be sent again.
  const shelf = "runoff-judge-" + sheet.id;
  let steps = [];
  try { steps = JSON.parse(remembered(shelf)) || []; } catch { steps = []; }
  const keep = () => remember(shelf, steps.length ? JSON.stringify(steps) : null);

  // The answers with those steps done. What the server did without our hearing of it is done twice, which changes nothing.
  const answers = new Map(pairs.filter((pair) => pair.answer).map((pair) => [pair.id, pair.answer]));
  const apply = (step) => {
    if (step.kind === "choices") answers.set(step.pair, step.side);
    if (step.kind === "undo") answers.delete(step.pair);
  };
  steps = steps.filter((step) => step.kind !== "done");
  steps.forEach(apply);
  const current = () => pairs.find((pair) => !answers.has(pair.id));
  const last = () => [...pairs].reverse().find((pair) => answers.has(pair.id));

  // How long a pair was before somebody's eyes.
  let seen = 0;
  let since = performance.now();
  const look = () => {
    if (since !== null) seen += performance.now() - since;
    since = document.hidden ? null : performance.now();
    return seen / 1000;
  };
  document.addEventListener("visibilitychange", look);

  let marks = remembered("runoff-judge-marks") === "yes";
  const write = (element, parts) => {
    element.replaceChildren(...parts.map((part, place) => {
      if (!marks || place % 2 === 0) return document.createTextNode(part);
      const mark = document.createElement("mark");
      mark.textContent = part;
      return mark;
    }));
  };
  const writePair = (pair) => {
    for (const side of ["left", "right"]) {
      const text = passages[side];
      write(text, pair[side]);
      // A passage that fits needs no stop for the keyboard.
      const over = text.scrollHeight > text.clientHeight + 1;
      if (over) text.tabIndex = 0;
      else text.removeAttribute("tabindex");
    }
  };

  const show = (move) => {
    const pair = current();
    const at = pair ? pairs.indexOf(pair) + 1 : pairs.length;
    bar.value = answers.size;
    count.textContent = at + " of " + pairs.length;
    forms.pair.hidden = !pair;
    forms.end.hidden = Boolean(pair);
    forms.undo.hidden = answers.size === 0;
    markButton.hidden = !pair;
    heading.textContent = pair ? pair.question : "All " + pairs.length + " pairs are answered";
    document.title = (pair ? at + " of " + pairs.length : heading.textContent) + " · " + place;
    if (pair) {
      forms.pair.elements.pair.value = pair.id;
      writePair(pair);
      Object.values(passages).forEach((text) => { text.scrollTop = 0; });
    }
    seen = 0;
    since = document.hidden ? null : performance.now();
    if (!move) return;
    scrollTo({ top: 0, behavior: "instant" });
    // The heading is read because it has the focus, so the question is not said a second time.
    heading.focus({ preventScroll: true });
    say(move + (pair ? " Pair " + at + " of " + pairs.length + "." : " All pairs are answered. Hand the task in, or undo."));
  };

  const tell = (text, bad) => {
    if (saving.textContent !== text) saving.textContent = text;
    saving.classList.toggle("bad", Boolean(bad));
  };
  let wait = 0;
  let timer = null;
  let isSending = false;
  let isOver = false;
  let afterwards = null;

  const fields = (step) => {
    const sent = { csrf, task: sheet.id, key: step.key };
    if (step.kind === "choices") Object.assign(sent, { pair: step.pair, side: step.side, seconds: step.seconds });
    return new URLSearchParams(sent);
  };
  const ask = async (step) => {
    const stop = new AbortController();
    const late = setTimeout(() => stop.abort(), 20000);
    try {
      return await fetch(address + "/" + step.kind, {
        method: "POST", body: fields(step), headers: { Accept: "application/json" }, credentials: "same-origin",
        signal: stop.signal,
      });
    } finally { clearTimeout(late); }
  };
  const end = (text, clear) => {
    isOver = true;
    if (clear) { steps = []; keep(); }
    box.querySelectorAll("button").forEach((one) => { one.disabled = true; });
    const again = document.createElement("a");
    again.href = address;
    again.textContent = "Reload the page";
    saving.replaceChildren(text + " ", again);
    saving.classList.add("bad");
    again.focus();
  };
  const later = (why) => {
    wait = Math.min(wait ? wait * 2 : 1, 15);
    const many = steps.length > 1;
    tell((many ? steps.length + " choices are not saved yet: " : "Not saved yet: ") + why + ". " + (many ? "They are" : "It is") + " saved here and will be sent again.", true);
    timer = setTimeout(send, wait * 1000);
  };
  const acknowledged = async (step, answer) => {
    const reply = await answer.json();
    steps.shift();
    keep();
    wait = 0;
    // Another window has answered too: the server knows better.
    if (step.kind === "undo" && reply.pair !== step.pair) { isOver = true; location.assign(address); return; }
    if (step.kind === "done") { isOver = true; location.assign(reply.next); return; }
    if (!steps.length) {
      tell(saving.classList.contains("bad") ? "Everything is saved." : "");
      if (afterwards) afterwards();
    }
  };
  const send = async () => {
    clearTimeout(timer);
    if (isSending || isOver || !steps.length) return;
    isSending = true;
    const step = steps[0];
    step.tried = true;
    keep();
    const slow = setTimeout(() => { if (!wait) tell("Saving…"); }, 600);
    try {
      const answer = await ask(step);
      if (answer.ok) await acknowledged(step, answer);
      else if (answer.status === 401 || answer.status === 403) {
        end("You are no longer signed in here. Open your link again in this browser: your choices are saved here and will be sent then.", false);
      } else if ([400, 404, 409, 422].includes(answer.status)) end("This task has changed in the meantime, perhaps because its time is up.", true);
      else later("the server is busy");
    } catch { later("there is no connection"); }
    clearTimeout(slow);
    isSending = false;
    if (!wait) send();
  };
  addEventListener("online", () => { wait = 0; send(); });
  addEventListener("beforeunload", (event) => { if (steps.length && !isOver) event.preventDefault(); });

  const add = (step) => {
    steps.push(step);
    apply(step);
    keep();
    send();
  };
  const choose = (side) => {
    const pair = current();
    if (!pair || isOver) return;
    const seconds = Math.round(look() * 10) / 10;
    add({ kind: "choices", key: drawKey(), pair: pair.id, side, seconds });
    show("You chose " + names[side] + ".");
  };
  const undo = () => {
    const pair = last();
    if (!pair || isOver || steps.some((step) => step.kind === "done")) return;
    const newest = steps[steps.length - 1];
    if (newest && newest.kind === "choices" && !newest.tried) {
      steps.pop();
      answers.delete(newest.pair);
      keep();
    } else add({ kind: "undo", key: drawKey(), pair: pair.id });
    show("Your last choice was undone.");
  };

  forms.pair.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter) choose(event.submitter.value);
  });
  forms.undo.addEventListener("submit", (event) => { event.preventDefault(); undo(); });
  forms.end.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isOver || steps.some((step) => step.kind === "done")) return;
    tell("Handing in…");
    add({ kind: "done", key: drawKey() });
  });
  // Whoever leaves takes along what is not saved yet.
  box.querySelector(".leave").addEventListener("click", (event) => {
    if (!steps.length || isOver) return;
    event.preventDefault();
    afterwards = () => location.assign(address + "/leave");
    tell("Your last choice is being saved first.");
    wait = 0;
    send();
  });

  const markLink = find("mark");
  const markButton = document.createElement("button");
  markButton.type = "button";
  markButton.append("Mark words", Object.assign(document.createElement("span"), { className: "unseen", textContent: " of the question" }));
  markButton.addEventListener("click", () => {
    marks = !marks;
    remember("runoff-judge-marks", marks ? "yes" : null);
    markButton.setAttribute("aria-pressed", String(marks));
    if (current()) writePair(current());
  });
  marks = marks || new URLSearchParams(location.search).get("mark") === "yes";
  markButton.setAttribute("aria-pressed", String(marks));
  markLink.replaceWith(markButton);

  // Keys, unless somebody types, holds a key down, or wants none.
  const keys = find("keys");
  box.querySelector(".keys").hidden = false;
  keys.checked = remembered("runoff-judge-keys") !== "no";
  keys.addEventListener("change", () => remember("runoff-judge-keys", keys.checked ? null : "no"));
  const acts = { ArrowLeft: () => choose("left"), 1: () => choose("left"), ArrowRight: () => choose("right"), 2: () => choose("right"), u: undo, U: undo };
  document.addEventListener("keydown", (event) => {
    if (!keys.checked || event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
    if (!Object.hasOwn(acts, event.key)) return;
    event.preventDefault();
    acts[event.key]();
  });

  addEventListener("resize", () => { if (current()) writePair(current()); });
  show("");
  send();
})();
