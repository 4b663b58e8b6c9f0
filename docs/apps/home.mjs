import { HearthClient } from 'hearth-client';

const client = new HearthClient({
  server: location.origin, page: 'home', parameters: { platform: 'web', appVersion: '6.0.0', locale: 'en' }, wait: 50,
  storage: { load: () => localStorage.getItem('home'), save: (text) => localStorage.setItem('home', text) },
});
const list = document.querySelector('#home');
const elements = new Map();

function element(id, tag) {
  if (!elements.has(id)) elements.set(id, document.createElement(tag));
  return elements.get(id);
}

function draw({ sections }) {
  const before = new Map([...elements].map(([id, { offsetTop }]) => [id, offsetTop]));
  const shown = sections.map((section) => {
    const box = element(section.id, 'section');
    box.replaceChildren(...(section.items ?? []).map(({ id, content, action }) => {
      const cell = element(`${section.id}/${id}`, 'a');
      cell.textContent = content.title ?? content.text ?? '';
      cell.href = action?.url ?? '';
      return cell;
    }));
    return box;
  });
  list.replaceChildren(...shown);
  for (const [id, moved] of elements) {
    const from = (before.get(id) ?? moved.offsetTop) - moved.offsetTop;
    const steps = [{ transform: `translateY(${from}px)` }, { transform: 'none' }];
    if (from) moved.animate(steps, { duration: 250, easing: 'ease' });
  }
}

for await (const { name, page, update, error } of client.states()) {
  document.body.classList.toggle('offline', Boolean(error));
  if (page && (update || name === 'cached')) draw(page);
}
