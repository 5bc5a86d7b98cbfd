/* Fills in the code of an invitation, which is behind the # of its link: no server ever sees it there. */
(() => {
  'use strict';

  const field = document.getElementById('code');
  const code = decodeURIComponent(location.hash.slice(1));
  if (!field || !code) return;
  history.replaceState(null, '', location.pathname);
  field.value = code;
  document.getElementById('invitation').requestSubmit();
})();
