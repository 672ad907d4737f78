// Draws candles with their volumes on a canvas: newest at the right, prices at the right edge, times below.
import { figure, minute, rough } from './format.js'

/** Target width of a candle, CSS pixels. */
const SLOT = 8
const RIGHT = 64
const BOTTOM = 22
const TOP = 8
/** Share of the height for volumes. */
const VOLUMES = 0.18

/** Number of candles that fit. */
export function capacity(canvas) {
  return Math.max(10, Math.floor((canvas.clientWidth - RIGHT) / SLOT))
}

/** Candle at `x` pixels from the left edge of the canvas; undefined when there is none. */
export function candleAt(canvas, candles, x) {
  return candles[Math.floor(x / slotWidth(canvas, candles))]
}

function slotWidth(canvas, candles) {
  return (canvas.clientWidth - RIGHT) / Math.max(1, candles.length)
}

/** @param candles  numbers: time in Unix milliseconds, open, high, low, close, volume; oldest first */
export function draw(canvas, candles) {
  const ratio = window.devicePixelRatio || 1
  const [width, height] = [canvas.clientWidth, canvas.clientHeight]
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  const pen = canvas.getContext('2d')
  pen.scale(ratio, ratio)
  pen.clearRect(0, 0, width, height)
  const colors = palette(canvas)
  pen.font = `12px ${getComputedStyle(canvas).fontFamily}`
  pen.textBaseline = 'middle'
  if (candles.length === 0) {
    pen.fillStyle = colors.quiet
    pen.textAlign = 'center'
    pen.fillText('No candles in this pool yet', width / 2, height / 2)
    return
  }
  const area = { left: 0, right: width - RIGHT, top: TOP, bottom: height - BOTTOM }
  area.prices = area.bottom - (area.bottom - area.top) * VOLUMES
  const scale = priceScale(candles, area)
  drawPrices(pen, scale, area, colors)
  drawTimes(pen, canvas, candles, area, colors)
  drawCandles(pen, canvas, candles, scale, area, colors)
}

function palette(canvas) {
  const style = getComputedStyle(canvas)
  const color = (name) => style.getPropertyValue(name).trim() && resolved(canvas, name)
  return { quiet: color('--quiet'), line: color('--line'), up: color('--good'), down: color('--bad') }
}

/** Resolves a CSS variable to a colour: a canvas does not know the page's theme. */
function resolved(canvas, name) {
  canvas.style.color = `var(${name})`
  const color = getComputedStyle(canvas).color
  canvas.style.color = ''
  return color
}

/** Maps prices to heights, with a margin at both ends. */
function priceScale(candles, { top, prices }) {
  let low = Math.min(...candles.map((one) => one.low))
  let high = Math.max(...candles.map((one) => one.high))
  const room = high > low ? (high - low) * 0.05 : high * 0.01 || 1
  low = Math.max(0, low - room)
  high += room
  return { low, high, y: (price) => prices - ((price - low) / (high - low)) * (prices - top) }
}

function drawPrices(pen, { low, high, y }, { left, right }, { quiet, line }) {
  const step = roundStep((high - low) / 5)
  pen.textAlign = 'left'
  pen.lineWidth = 1
  for (let price = Math.ceil(low / step) * step; price <= high; price += step) {
    const at = Math.round(y(price)) + 0.5
    pen.strokeStyle = line
    pen.beginPath()
    pen.moveTo(left, at)
    pen.lineTo(right, at)
    pen.stroke()
    pen.fillStyle = quiet
    pen.fillText(figure(price), right + 6, at)
  }
}

/** 1, 2 or 5 times a power of ten. */
function roundStep(wanted) {
  const power = 10 ** Math.floor(Math.log10(wanted))
  return [1, 2, 5, 10].find((factor) => factor * power >= wanted) * power
}

function drawTimes(pen, canvas, candles, { right, bottom }, { quiet }) {
  const slot = slotWidth(canvas, candles)
  const every = Math.ceil(96 / slot)
  pen.fillStyle = quiet
  pen.textAlign = 'center'
  for (let i = Math.floor(every / 2); i < candles.length; i += every) {
    const x = (i + 0.5) * slot
    if (x > 40 && x < right - 30) pen.fillText(minute(candles[i].time), x, bottom + BOTTOM / 2)
  }
}

function drawCandles(pen, canvas, candles, { y }, area, { up, down }) {
  const slot = slotWidth(canvas, candles)
  const body = Math.max(1, Math.min(12, Math.floor(slot * 0.7)))
  const most = Math.max(...candles.map((one) => one.volume))
  candles.forEach(({ open, high, low, close, volume }, i) => {
    const middle = Math.round((i + 0.5) * slot)
    pen.fillStyle = close >= open ? up : down
    pen.fillRect(middle, y(high), 1, Math.max(1, y(low) - y(high)))
    const [upper, lower] = [y(Math.max(open, close)), y(Math.min(open, close))]
    pen.fillRect(middle - Math.floor(body / 2), upper, body, Math.max(1, lower - upper))
    if (most === 0) return
    const tall = (volume / most) * (area.bottom - area.prices - 4)
    pen.globalAlpha = 0.4
    pen.fillRect(middle - Math.floor(body / 2), area.bottom - tall, body, tall)
    pen.globalAlpha = 1
  })
}

/** A candle as text. */
export function reading({ time, open, high, low, close, volume }) {
  const prices = `open ${figure(open)} · high ${figure(high)} · low ${figure(low)} · close ${figure(close)}`
  return `${minute(time)} UTC · ${prices} · volume ${rough(volume)} USD`
}
