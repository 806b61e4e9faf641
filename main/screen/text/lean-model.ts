import { bytesField, type Field, fieldsOf, floatField, numberField, numberIn } from './onnx-wire.ts'

/** Numbers of fields in ONNX messages. */
const MODEL = { graph: 7 }
const GRAPH = { node: 1 }
const NODE = { input: 1, output: 2, name: 3, operator: 4, attribute: 5 }
const ATTRIBUTE = { name: 1, float: 2, tensor: 5, type: 20 }
const TENSOR = { dimension: 1, type: 2, floats: 4, raw: 9 }
const KIND = { float: 1, tensor: 4 }

type Node = { operator: string; inputs: string[]; outputs: string[]; fields: Field[]; whole: Buffer }
type Constant = { dimensions: number[]; value: number | null }

/**
 * The same network in fewer and cheaper steps. PP-OCR's files spell out `hardswish` in four steps and scale by single numbers;
 * ONNX Runtime knows neither spelling, and leaves and enters its fast layout at each. Written as HardSigmoid and as
 * BatchNormalization it keeps to that layout, and takes most scalings into the convolution before them. What is not found stays.
 */
export function leanModel(file: Buffer): Buffer {
  return Buffer.concat(
    fieldsOf(file).map(({ number, whole, body }) =>
      number === MODEL.graph ? bytesField(MODEL.graph, leanGraph(body)) : whole,
    ),
  )
}

function leanGraph(graph: Buffer): Buffer {
  const fields = fieldsOf(graph)
  const nodes = fields.filter(({ number }) => number === GRAPH.node).map(nodeOf)
  const instead = replacements(nodes)
  const used = new Set(nodes.filter((node) => !instead.has(node)).flatMap(({ inputs }) => inputs))
  const isIdle = ({ operator, outputs: [name = ''] }: Node) => operator === 'Constant' && !used.has(name)
  return Buffer.concat([
    ...nodes.filter((node) => !isIdle(node)).flatMap((node) => instead.get(node) ?? [node.whole]),
    ...fields.filter(({ number }) => number !== GRAPH.node).map(({ whole }) => whole),
  ])
}

/** What stands in the place of a node: nothing, or nodes that give its outputs. */
function replacements(nodes: Node[]): Map<Node, Buffer[]> {
  const instead = new Map<Node, Buffer[]>()
  const constants = constantsOf(nodes)
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node])))
  const uses = new Map<string, number>()
  for (const name of nodes.flatMap(({ inputs }) => inputs)) uses.set(name, (uses.get(name) ?? 0) + 1)
  /** The input that is no constant, and the constant's value, where there is one of each. */
  const scalar = (node: Node | undefined, operator: string) => {
    const value = node?.inputs.map((name) => constants.get(name)?.value).find((one) => typeof one === 'number')
    const input = node?.inputs.find((name) => !constants.has(name))
    return node?.operator === operator && input !== undefined && value !== undefined ? { node, input, value } : null
  }
  const madeOnlyFor = (name: string | undefined) => (uses.get(name ?? '') === 1 ? makers.get(name ?? '') : undefined)
  const channels = new Map<string, number>()

  for (const node of nodes) {
    const [output = ''] = node.outputs
    const width = node.operator === 'Conv' ? constants.get(node.inputs[1] ?? '')?.dimensions[0] : undefined
    const passed = node.inputs.map((name) => channels.get(name)).find((count) => count !== undefined)
    if (width ?? passed) channels.set(output, width ?? passed ?? 0)

    // x · clip(x + 3, 0, 6) / 6
    const sixth = scalar(node, 'Div')
    const product = sixth?.value === 6 ? madeOnlyFor(sixth.input) : undefined
    const clip = product?.operator === 'Mul' ? product.inputs.map(madeOnlyFor).find(isClip) : undefined
    const sum = scalar(madeOnlyFor(clip?.inputs[0]), 'Add')
    if (product && clip && sum?.value === 3 && product.inputs.includes(sum.input)) {
      for (const gone of [product, clip, sum.node]) instead.set(gone, [])
      const gate = `${output}.gate`
      instead.set(node, [
        nodeField('HardSigmoid', [sum.input], gate, [floatAttribute('alpha', 1 / 6), floatAttribute('beta', 0.5)]),
        nodeField('Mul', [sum.input, gate], output),
      ])
    }

    // x · a + b, with single numbers
    const shift = scalar(node, 'Add')
    const scale = shift && scalar(madeOnlyFor(shift.input), 'Mul')
    const count = scale && channels.get(scale.input)
    if (shift && scale && count) {
      const each = { scale: scale.value, bias: shift.value, mean: 0, variance: 1 }
      const names = Object.keys(each).map((name) => `${output}.${name}`)
      instead.set(scale.node, [])
      instead.set(node, [
        ...Object.values(each).map((value, n) => constantField(names[n] ?? '', value, count)),
        nodeField('BatchNormalization', [scale.input, ...names], output, [floatAttribute('epsilon', 0)]),
      ])
    }
  }
  return instead
}

const isClip = (node: Node | undefined) => node?.operator === 'Clip'

function nodeOf({ body, whole }: Field): Node {
  const fields = fieldsOf(body)
  const texts = (number: number) => fields.filter((field) => field.number === number).map((field) => `${field.body}`)
  return {
    operator: texts(NODE.operator)[0] ?? '',
    inputs: texts(NODE.input),
    outputs: texts(NODE.output),
    fields,
    whole,
  }
}

function constantsOf(nodes: Node[]): Map<string, Constant> {
  const constants = new Map<string, Constant>()
  for (const { operator, outputs, fields } of nodes) {
    const attribute = operator === 'Constant' && fields.find(({ number }) => number === NODE.attribute)
    const tensor = attribute && fieldsOf(attribute.body).find(({ number }) => number === ATTRIBUTE.tensor)
    if (tensor) constants.set(outputs[0] ?? '', constantOf(fieldsOf(tensor.body)))
  }
  return constants
}

function constantOf(fields: Field[]): Constant {
  const dimensions = fields.filter(({ number }) => number === TENSOR.dimension).map(({ body }) => numberIn(body))
  const isFloat = fields.some(({ number, body }) => number === TENSOR.type && numberIn(body) === KIND.float)
  const data = fields.find(({ number }) => number === TENSOR.raw || number === TENSOR.floats)?.body
  return { dimensions, value: isFloat && data?.length === 4 ? data.readFloatLE(0) : null }
}

function nodeField(operator: string, inputs: string[], output: string, attributes: Buffer[] = []): Buffer {
  return bytesField(
    GRAPH.node,
    Buffer.concat([
      ...inputs.map((name) => bytesField(NODE.input, name)),
      bytesField(NODE.output, output),
      bytesField(NODE.name, output),
      bytesField(NODE.operator, operator),
      ...attributes.map((attribute) => bytesField(NODE.attribute, attribute)),
    ]),
  )
}

function floatAttribute(name: string, value: number): Buffer {
  return Buffer.concat([
    bytesField(ATTRIBUTE.name, name),
    floatField(ATTRIBUTE.float, value),
    numberField(ATTRIBUTE.type, KIND.float),
  ])
}

function constantField(name: string, value: number, length: number): Buffer {
  const tensor = Buffer.concat([
    numberField(TENSOR.dimension, length),
    numberField(TENSOR.type, KIND.float),
    bytesField(TENSOR.raw, Buffer.from(new Float32Array(length).fill(value).buffer)),
  ])
  const attribute = Buffer.concat([
    bytesField(ATTRIBUTE.name, 'value'),
    bytesField(ATTRIBUTE.tensor, tensor),
    numberField(ATTRIBUTE.type, KIND.tensor),
  ])
  return nodeField('Constant', [], name, [attribute])
}
