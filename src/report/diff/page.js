"use strict";
(() => {
  const search = document.getElementById("search");
  const by = document.getElementById("by");
  const count = document.getElementById("count");
  const nothing = document.getElementById("nothing");
  const objects = [...document.querySelectorAll("details.object")];
  const texts = new Map(objects.map((object) => [object, object.textContent.toLowerCase()]));

  // The address remembers what is looked for, so that it can be sent to somebody.
  const remember = () => {
    const state = new URLSearchParams();
    if (search.value) state.set("q", search.value);
    if (by.value) state.set("by", by.value);
    const text = state.toString();
    history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
  };

  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const object of objects) {
      const found = words.every((word) => texts.get(object).includes(word));
      const changes = [...object.querySelectorAll(".change[data-by]")];
      const ofRule = (element) => !by.value || element.dataset.by.split("\n").includes(by.value);
      for (const change of changes) change.hidden = !ofRule(change);
      object.hidden = !(found && ofRule(object));
      if (!object.hidden) shown += 1;
    }
    count.textContent = shown === objects.length ? `${shown} objects` : `${shown} of ${objects.length} objects`;
    nothing.hidden = shown > 0 || objects.length === 0;
    for (const group of document.querySelectorAll("section.group")) {
      const left = [...group.querySelectorAll("details.object")];
      group.hidden = left.length > 0 && left.every((object) => object.hidden);
    }
  };

  const restore = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    search.value = state.get("q") ?? "";
    const wanted = state.get("by") ?? "";
    by.value = [...by.options].some((option) => option.value === wanted) ? wanted : "";
    apply();
  };

  search.addEventListener("input", () => { apply(); remember(); });
  by.addEventListener("change", () => { apply(); remember(); });
  document.getElementById("open").addEventListener("click", () => objects.forEach((o) => { o.open = true; }));
  document.getElementById("close").addEventListener("click", () => objects.forEach((o) => { o.open = false; }));
  addEventListener("hashchange", restore);
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    }
  });
  restore();
})();
