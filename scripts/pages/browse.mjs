// Opens pages in headless Chromium and says what is wrong with them, as JSON.
//
// Standard input is a plan: {"browser", "shots", "pages": [{"name", "url",
// "fill": {field: value}, "choose", "press"}], "judge": [names], "dark": [names]}.
// Every page is looked at without scripts at the width of a phone and of a desk,
// light and dark; axe judges it; a page with "press" is then filled in and its
// button pressed, still without scripts. Standard output is one finding a line:
// {"name", "problem"} or, of a press, {"name", "url", "status", "text"}.
import { readFileSync, mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import AxeBuilder from '@axe-core/playwright';

const plan = JSON.parse(readFileSync(0, 'utf8'));
mkdirSync(plan.shots, { recursive: true });
const say = (finding) => process.stdout.write(JSON.stringify(finding) + '\n');

// What axe is asked: everything, and of the same page in other colours what
// colours can change. Pages share their elements, so a plan may name those that it
// wants judged, and those that it wants judged in the dark.
const all = (axe) => axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
const contrast = (axe) => axe.withRules(['color-contrast']);
const judged = (name, size) => !plan[size.asked] || plan[size.asked].includes(name);

// Sizes and schemes; 320 pixels are also what 400 percent of 1280 come to.
const looks = [
  { as: 'phone', width: 320, height: 640, colorScheme: 'light', judge: all, asked: 'judge' },
  { as: 'phone-dark', width: 320, height: 640, colorScheme: 'dark', judge: contrast, asked: 'dark' },
  { as: 'desk', width: 1280, height: 900, colorScheme: 'light' },
];

const browser = await chromium.launch({ executablePath: plan.browser, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-extensions'] });

// tab is a page in a context of its own that is used again and again, and what it
// fetched and said since it was last asked.
async function tab({ width, height, colorScheme }, options) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale: plan.locale, ...options });
  const page = await context.newPage();
  const t = { page, fetched: [], said: [] };
  page.on('request', (r) => t.fetched.push(r));
  page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') t.said.push(m.text()); });
  t.open = async (url) => { t.fetched.length = t.said.length = 0; await page.goto(url); };
  return t;
}

// A status that is no success is told by Chromium as an error of its console.
const isStatus = (text) => text.startsWith('Failed to load resource: the server responded with a status of');

async function look({ name, url }, size, t) {
  await t.open(url);
  const others = t.fetched.filter((r) => r.url() !== url && !r.url().endsWith('/favicon.ico'));
  if (others.length) say({ name, problem: `${size.as}: fetches ${others.map((r) => r.url())}` });
  for (const text of t.said.filter((s) => !isStatus(s))) say({ name, problem: `${size.as}: the console says ${text}` });
  const wide = await t.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 0) say({ name, problem: `${size.as}: ${wide} pixels too wide` });
  const small = await t.page.evaluate(() => [...document.querySelectorAll('button, .times label, .field input, textarea, ul.ways a, footer a')]
    .filter((e) => !e.closest('.trap') && e.getBoundingClientRect().height < 44).map((e) => e.outerHTML.slice(0, 80)));
  for (const element of small) say({ name, problem: `${size.as}: too small to press: ${element}` });
  await t.page.screenshot({ path: `${plan.shots}/${name}-${size.as}.png`, fullPage: true });
}

async function judge({ name, url }, size, t) {
  await t.open(url);
  const { violations } = await size.judge(new AxeBuilder({ page: t.page })).analyze();
  for (const v of violations) say({ name, problem: `${size.as}: ${v.id}: ${v.help}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')}` });
}

async function press({ name, url, fill, choose, press }, t) {
  const page = t.page;
  await t.open(url);
  for (const [field, value] of Object.entries(fill ?? {})) await page.locator(`[name="${field}"]`).fill(value);
  if (choose) await page.locator('input[type=radio]').nth(choose - 1).check();
  const button = page.getByRole('button', { name: press, exact: true });
  await button.focus();
  const ring = await button.evaluate((e) => parseFloat(getComputedStyle(e).outlineWidth));
  if (!(ring >= 3)) say({ name, problem: `the focus shows ${ring} pixels` });
  const [response] = await Promise.all([page.waitForResponse((r) => r.request().isNavigationRequest() && r.status() !== 303), button.press('Enter')]);
  await page.waitForLoadState();
  const focused = await page.evaluate(() => { const a = document.querySelector('[role=alert]'); return a ? document.activeElement === a : null; });
  if (focused === false) say({ name, problem: 'the alert has not the focus' });
  say({ name, url: page.url(), status: response.status(), text: (await page.locator('body').innerText()).replace(/\s+/g, ' ') });
  await page.screenshot({ path: `${plan.shots}/${name}-pressed.png`, fullPage: true });
}

for (const size of looks) {
  size.plain = await tab(size, { javaScriptEnabled: false });
  if (size.judge) size.judged = await tab(size, { bypassCSP: true });
}
for (const entry of plan.pages) {
  for (const size of looks) {
    await look(entry, size, size.plain);
    if (size.judge && judged(entry.name, size)) await judge(entry, size, size.judged);
  }
  if (entry.press) await press(entry, looks[0].plain);
}
await browser.close();
