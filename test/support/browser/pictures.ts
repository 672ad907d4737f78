// Pictures of pages compared with stored ones. A stored picture is half as large in each direction and compressed with
// losses, so that some hundred of them are small; so differences count by tiles, not by pixels.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from './browser.ts'

/** Mean difference of a tile from which it counts as different, of 255. */
const MAX_DIFFERENCE = 10
/** Side of a tile in a stored picture, pixels. */
const TILE = 8

const SCRIPT = `window.pictures = {
  async load(url) {
    const image = new Image()
    image.src = url
    await image.decode()
    return image
  },
  /** Draws a picture. @param scale  of its sides */
  draw(image, scale) {
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(image.width * scale)
    canvas.height = Math.round(image.height * scale)
    const context = canvas.getContext('2d', { willReadFrequently: true })
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return { canvas, context }
  },
  async shrunk(png) {
    return this.draw(await this.load(png), 0.5).canvas.toDataURL('image/webp', 0.5)
  },
  async compared(one, other) {
    const drawn = [this.draw(await this.load(one), 1), this.draw(await this.load(other), 1)]
    const [{ canvas: a, context: left }, { canvas: b, context: right }] = drawn
    if (a.width !== b.width || a.height !== b.height) return { size: [a.width, a.height, b.width, b.height], count: 0, tiles: [] }
    const tiles = []
    let count = 0
    for (let y = 0; y < a.height; y += ${TILE})
      for (let x = 0; x < a.width; x += ${TILE}) {
        count++
        const [w, h] = [Math.min(${TILE}, a.width - x), Math.min(${TILE}, a.height - y)]
        const [p, q] = [left.getImageData(x, y, w, h).data, right.getImageData(x, y, w, h).data]
        let sum = 0
        for (let i = 0; i < p.length; i++) sum += Math.abs(p[i] - q[i])
        if (sum / p.length * 4 / 3 > ${MAX_DIFFERENCE}) tiles.push([x * 2, y * 2])
      }
    return { size: null, count, tiles }
  },
}`

interface Difference {
  /** Widths and heights when they differ; else null. */
  size: number[] | null
  /** Number of compared tiles. */
  count: number
  /** Places of the tiles that differ, pixels of the page. */
  tiles: [x: number, y: number][]
}

/** @param blank  a page without a content security policy, which draws */
export async function openPictures(blank: Page) {
  await blank.evaluate(`${SCRIPT}; 0`)
  const shrunk = (png: Buffer) =>
    blank.evaluate<string>(`pictures.shrunk('data:image/png;base64,${png.toString('base64')}')`)
  return {
    /** Stores a picture. */
    async store(file: string, png: Buffer): Promise<void> {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, Buffer.from((await shrunk(png)).split(',')[1] ?? '', 'base64'))
    },
    /** @returns null when no picture is stored */
    async compare(file: string, png: Buffer): Promise<Difference | null> {
      if (!existsSync(file)) return null
      const stored = `data:image/webp;base64,${readFileSync(file).toString('base64')}`
      return await blank.evaluate<Difference>(`pictures.compared('${await shrunk(png)}', '${stored}')`)
    },
  }
}
