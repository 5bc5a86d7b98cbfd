/* Updates the page of an open league in place: hx-swap="morph" for htmx.
 *
 * Whatever did not change stays the same element, so it keeps the keyboard focus, the selection and
 * the scroll position. Elements with an id or a data-key are recognized wherever they move to among
 * their siblings; all others by their position.
 */
(() => {
  'use strict';

  htmx.defineExtension('morph', {
    handleSwap(style, target, fragment) {
      if (style !== 'morph') return false;
      const restore = remember();
      morphChildren(target, fragment.firstElementChild);
      restore(target);
      return true;
    },
  });

  function morphChildren(parent, fresh) {
    const byKey = new Map([...parent.children].map((child) => [keyOf(child), child]));
    const freshKeys = new Set([...fresh.children].map(keyOf));
    const isGone = (child) => keyOf(child) && !freshKeys.has(keyOf(child));
    let next = parent.firstChild;
    for (const child of [...fresh.childNodes]) {
      while (next && isGone(next)) next = removed(next);
      const match = keyOf(child) ? byKey.get(keyOf(child)) : next;
      if (!match || !isAlike(match, child)) {
        parent.insertBefore(child, next);
        continue;
      }
      if (match === next) next = next.nextSibling;
      else move(parent, match, next);
      morph(match, child);
    }
    while (next) next = removed(next);
  }

  function morph(old, fresh) {
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== fresh.data) old.data = fresh.data;
      return;
    }
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    }
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    morphChildren(old, fresh);
  }

  function keyOf(node) {
    return node.id || node.dataset?.key || '';
  }

  function isAlike(old, fresh) {
    return old.nodeName === fresh.nodeName && keyOf(old) === keyOf(fresh);
  }

  function removed(node) {
    const next = node.nextSibling;
    node.remove();
    return next;
  }

  /* moveBefore keeps the focus; without it, `remember` gives it back. */
  function move(parent, node, next) {
    if (parent.moveBefore) parent.moveBefore(node, next);
    else parent.insertBefore(node, next);
  }

  /* Return a function that gives back the focus and the selection, should they be lost. */
  function remember() {
    const focused = document.activeElement;
    const selection = getSelection();
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
    return (target) => {
      if (document.activeElement !== focused) {
        const links = [...target.querySelectorAll('a')];
        const same = links.find((link) => focused.href && link.href === focused.href);
        (focused.isConnected ? focused : same)?.focus({ preventScroll: true });
      }
      if (anchorNode?.isConnected && focusNode?.isConnected) {
        const anchorAt = Math.min(anchorOffset, lengthOf(anchorNode));
        const focusAt = Math.min(focusOffset, lengthOf(focusNode));
        const isSame = selection.anchorNode === anchorNode && selection.anchorOffset === anchorAt
          && selection.focusNode === focusNode && selection.focusOffset === focusAt;
        if (!isSame) selection.setBaseAndExtent(anchorNode, anchorAt, focusNode, focusAt);
      }
    };
  }

  function lengthOf(node) {
    return node.nodeType === Node.ELEMENT_NODE ? node.childNodes.length : node.data.length;
  }
})();
