"use strict";
// Shows one view and one step at a time. Everything is in the page already, as text: this only
// hides and shows, so that the page is whole without it too.
(() => {
  const all = (from, what) => Array.from(from.querySelectorAll(what));
  const views = all(document, "section.view");
  const links = all(document, "nav a");
  const steps = new Map(views.map((view) => [view, 0]));
  let shown = 0;

  function mark(elements, current) {
    elements.forEach((each, place) =>
      each.setAttribute("aria-current", String(place === current)));
  }

  function showView(place) {
    shown = Math.max(0, Math.min(place, views.length - 1));
    views.forEach((view, at) => { view.hidden = at !== shown; });
    mark(links, shown);
  }

  function showStep(view, place) {
    const articles = all(view, "article.step");
    if (!articles.length) return;
    const at = Math.max(0, Math.min(place, articles.length - 1));
    steps.set(view, at);
    articles.forEach((each, here) => { each.hidden = here !== at; });
    mark(all(view, "ol.timeline button"), at);
    const from = Number(articles[at].dataset.from);
    const to = Number(articles[at].dataset.to);
    all(view, "ol.turns > li").forEach((turn) => {
      const number = Number(turn.dataset.turn);
      turn.hidden = number >= to;
      turn.classList.toggle("new", number >= from && number < to);
    });
  }

  function move(by) {
    showStep(views[shown], steps.get(views[shown]) + by);
  }

  function follow() {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { /* a % that begins no character */ }
    const target = document.getElementById(name);
    const view = target && target.closest("section.view");
    if (!view) return;
    showView(views.indexOf(view));
    const article = target.closest("article.step");
    if (article) showStep(view, all(view, "article.step").indexOf(article));
    target.scrollIntoView();
  }

  function turnTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }

  const keys = {
    ArrowRight: () => move(1), j: () => move(1), l: () => move(1),
    ArrowLeft: () => move(-1), k: () => move(-1), h: () => move(-1),
    "]": () => showView(shown + 1), "[": () => showView(shown - 1),
    d: () => showView(0),
    t: turnTheme,
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    if (event.key.startsWith("Arrow") && event.target.closest("pre")) return;
    keys[event.key]();
    event.preventDefault();
  });
  document.querySelector("button.theme").addEventListener("click", turnTheme);
  links.forEach((link, place) => link.addEventListener("click", (event) => {
    event.preventDefault();
    showView(place);
  }));
  views.forEach((view) => {
    all(view, "ol.timeline button").forEach((button, place) =>
      button.addEventListener("click", () => showStep(view, place)));
    showStep(view, 0);
  });
  addEventListener("hashchange", follow);
  showView(0);
  follow();
})();
