// SPDX-License-Identifier: Apache-2.0
// The site's search runs in a worker, and browsers start none from files on a disk. There, a frame does its work.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #inside;

    constructor(script) {
      super();
      this.#inside = new Promise(resolve => {
        const frame = document.createElement("iframe");
        frame.hidden = true;
        document.body.append(frame);
        const inside = frame.contentWindow;
        const base = new URL(script, location);
        const load = url => new Promise(loaded => {
          const element = inside.document.createElement("script");
          element.src = new URL(url, base).href;
          element.addEventListener("load", loaded);
          inside.document.body.append(element);
        });
        inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", {data}));
        inside.importScripts = (...urls) => Promise.all(urls.map(load));
        load(base).then(() => resolve(inside));
      });
    }

    postMessage(data) {
      this.#inside.then(inside => inside.dispatchEvent(new inside.MessageEvent("message", {data})));
    }
  };
}
