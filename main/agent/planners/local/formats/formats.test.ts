import { describe, expect, test } from 'vitest'
import { readAction } from '../actions.ts'
import { mappingOf, placeOn } from '../grounding.ts'
import { firstObject, looseJson } from '../loose-json.ts'
import { readPoint } from '../points.ts'
import { formatFor } from '../presets.ts'
import type { Format, Said } from './format.ts'
import { holo } from './holo.ts'
import { qwen3 } from './qwen.ts'
import { plainTools } from './tools.ts'
import { uiTars } from './ui-tars.ts'

const said = (text: string, more: Partial<Said> = {}): Said => ({ text, reasoning: '', calls: [], ...more })

/** What is done, in the model's own numbers. */
function meanings(format: Format, answer: Said) {
  const senses = { place: (p: { x: number; y: number }) => p, blind: null, pointer: { at: null } }
  return format.read(answer).actions.map((action) => {
    const meaning = readAction(action, senses)
    return meaning.kind === 'act' ? meaning.act : meaning
  })
}

const click = (x: number, y: number) => ({ type: 'click', at: { x, y }, button: 'left', count: 1 })

describe('UI-TARS', () => {
  test.each<[string, string, unknown[]]>([
    ['the usual form', "Thought: I see it.\nAction: click(start_box='(197,525)')", [click(197, 525)]],
    ['box tokens', "Action: click(start_box='<|box_start|>(197,525)<|box_end|>')", [click(197, 525)]],
    ['a point tag', "Action: click(point='<point>197 525</point>')", [click(197, 525)]],
    ['a point tag without quotes', 'Action: click(point=<point>197 525</point>)', [click(197, 525)]],
    ['a box means its middle', "Action: click(start_box='[100, 200, 140, 220]')", [click(120, 210)]],
    ['no quotes', 'Action: click(start_box=(197,525))', [click(197, 525)]],
    ['no closing bracket', "Action: click(start_box='(197,525)'", [click(197, 525)]],
    ['no closing quote', "Action: click(start_box='(197,525)", [click(197, 525)]],
    ['no name for the argument', "Action: click('(197,525)')", [click(197, 525)]],
    ['no “Action:”', "click(start_box='(197,525)')", [click(197, 525)]],
    ['a code fence', "Thought: x\nAction:\n```\nclick(start_box='(197,525)')\n```", [click(197, 525)]],
    ['decimals', "Action: click(start_box='(197.5, 525.25)')", [click(197.5, 525.25)]],
    [
      'double click',
      "Action: left_double(start_box='(1,2)')",
      [{ type: 'click', at: { x: 1, y: 2 }, button: 'left', count: 2 }],
    ],
    [
      'right click',
      "Action: right_single(start_box='(1,2)')",
      [{ type: 'click', at: { x: 1, y: 2 }, button: 'right', count: 1 }],
    ],
    [
      'drag',
      "Action: drag(start_box='(1,2)', end_box='(3,4)')",
      [
        {
          type: 'drag',
          path: [
            { x: 1, y: 2 },
            { x: 3, y: 4 },
          ],
          button: 'left',
        },
      ],
    ],
    ['hotkey with spaces', "Action: hotkey(key='ctrl shift t')", [{ type: 'key', chord: 'ctrl+shift+t', repeat: 1 }]],
    ['hotkey with plus', "Action: hotkey(key='ctrl+c')", [{ type: 'key', chord: 'ctrl+c', repeat: 1 }]],
    ['one key', "Action: hotkey(key='enter')", [{ type: 'key', chord: 'enter', repeat: 1 }]],
    ['typing with a submit', "Action: type(content='hello\\n')", [{ type: 'type', text: 'hello\n' }]],
    ['typing with escaped quotes', "Action: type(content='it\\'s \"here\"')", [{ type: 'type', text: 'it\'s "here"' }]],
    [
      'typing with quotes that are not escaped',
      "Action: type(content='it's here')",
      [{ type: 'type', text: "it's here" }],
    ],
    ['typing brackets', "Action: type(content='print(1)')", [{ type: 'type', text: 'print(1)' }]],
    ['typing a backslash', "Action: type(content='C:\\\\dir')", [{ type: 'type', text: 'C:\\dir' }]],
    [
      'scrolling',
      "Action: scroll(start_box='(5,6)', direction='down')",
      [{ type: 'scroll', at: { x: 5, y: 6 }, dx: 0, dy: 5 }],
    ],
    [
      'scrolling up with a name in capitals',
      "Action: scroll(start_box='(5,6)', direction='UP')",
      [{ type: 'scroll', at: { x: 5, y: 6 }, dx: 0, dy: -5 }],
    ],
    ['waiting', 'Action: wait()', [{ type: 'wait', seconds: 2 }]],
    [
      'two actions',
      "Action: click(start_box='(1,2)')\n\ntype(content='a')",
      [click(1, 2), { type: 'type', text: 'a' }],
    ],
    ['being done', "Action: finished(content='All done.')", [{ kind: 'claim', summary: 'All done.', success: true }]],
    ['asking for help', 'Action: call_user()', [{ kind: 'ask', question: 'The model asks for help.' }]],
    ['thinking before it', "<think>hm</think>Thought: so\nAction: click(start_box='(1,2)')", [click(1, 2)]],
    ['no place', 'Action: click()', [{ kind: 'wrong', problem: expect.stringContaining('not said where') }]],
    ['only words', 'I cannot do that.', []],
    ['nothing', '', []],
    ['half an action', 'Thought: I will\nAction: cli', []],
  ])('%s', (_what, text, expected) => {
    expect(meanings(uiTars, said(text))).toEqual(expected)
  })

  test('the thought is kept apart', () => {
    expect(uiTars.read(said("Thought: Look at the menu.\nAction: click(start_box='(1,2)')")).thought).toBe(
      'Look at the menu.',
    )
    expect(uiTars.read(said('Sorry.'))).toMatchObject({
      thought: 'Sorry.',
      problem: expect.stringContaining('no action'),
    })
  })
})

describe('Qwen', () => {
  const call = (args: string) => `<tool_call>\n{"name": "computer_use", "arguments": ${args}}\n</tool_call>`
  test.each<[string, Said, unknown[]]>([
    ['the usual form', said(call('{"action": "left_click", "coordinate": [500, 250]}')), [click(500, 250)]],
    [
      'no closing tag',
      said('<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 250]}}'),
      [click(500, 250)],
    ],
    [
      'missing braces at the end',
      said('<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 250]'),
      [click(500, 250)],
    ],
    [
      'single quotes',
      said(
        "<tool_call>{'name': 'computer_use', 'arguments': {'action': 'left_click', 'coordinate': [500, 250]}}</tool_call>",
      ),
      [click(500, 250)],
    ],
    ['a trailing comma', said(call('{"action": "left_click", "coordinate": [500, 250,],}')), [click(500, 250)]],
    [
      'arguments as a text',
      said(
        '<tool_call>{"name":"computer_use","arguments":"{\\"action\\":\\"left_click\\",\\"coordinate\\":[500,250]}"}</tool_call>',
      ),
      [click(500, 250)],
    ],
    [
      'no tags at all',
      said('{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 250]}}'),
      [click(500, 250)],
    ],
    [
      'a code fence',
      said('```json\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 250]}}\n```'),
      [click(500, 250)],
    ],
    ['only the arguments', said('{"action": "left_click", "coordinate": [500, 250]}'), [click(500, 250)]],
    [
      'XML parameters',
      said(
        '<tool_call><function=computer_use><parameter=action>left_click</parameter><parameter=coordinate>[500, 250]</parameter></function></tool_call>',
      ),
      [click(500, 250)],
    ],
    [
      'XML parameters over lines, not closed',
      said(
        '<tool_call>\n<function=computer_use>\n<parameter=action>\nleft_click\n</parameter>\n<parameter=coordinate>\n[500, 250]',
      ),
      [click(500, 250)],
    ],
    [
      'tags named like the arguments',
      said('<tool_call><action>left_click</action><coordinate>500, 250</coordinate></tool_call>'),
      [click(500, 250)],
    ],
    ['a coordinate as text', said(call('{"action": "left_click", "coordinate": "(500, 250)"}')), [click(500, 250)]],
    [
      'a coordinate as an object',
      said(call('{"action": "left_click", "coordinate": {"x": 500, "y": 250}}')),
      [click(500, 250)],
    ],
    [
      'a coordinate in two brackets',
      said(call('{"action": "left_click", "coordinate": [[500, 250]]}')),
      [click(500, 250)],
    ],
    ['a box', said(call('{"action": "left_click", "bbox_2d": [490, 240, 510, 260]}')), [click(500, 250)]],
    [
      'a call through the server',
      said('', {
        calls: [{ id: 'c1', name: 'computer_use', arguments: '{"action":"left_click","coordinate":[500,250]}' }],
      }),
      [click(500, 250)],
    ],
    [
      'several calls',
      said(call('{"action": "key", "keys": ["ctrl", "s"]}') + call('{"action": "type", "text": "a\\nb"}')),
      [
        { type: 'key', chord: 'ctrl+s', repeat: 1 },
        { type: 'type', text: 'a\nb' },
      ],
    ],
    [
      'line breaks inside a string',
      said('<tool_call>{"name":"computer_use","arguments":{"action":"type","text":"a\nb"}}</tool_call>'),
      [{ type: 'type', text: 'a\nb' }],
    ],
    [
      'scrolling down by pixels',
      said(call('{"action": "scroll", "pixels": -500, "coordinate": [1, 2]}')),
      [{ type: 'scroll', at: { x: 1, y: 2 }, dx: 0, dy: 5 }],
    ],
    ['scrolling up by notches', said(call('{"action": "scroll", "pixels": 3}')), [{ type: 'scroll', dx: 0, dy: -3 }]],
    [
      'a drag from where the pointer is',
      said(
        call('{"action": "mouse_move", "coordinate": [1, 2]}') +
          call('{"action": "left_click_drag", "coordinate": [3, 4]}'),
      ),
      [
        { type: 'move', to: { x: 1, y: 2 } },
        {
          type: 'drag',
          path: [
            { x: 1, y: 2 },
            { x: 3, y: 4 },
          ],
          button: 'left',
        },
      ],
    ],
    [
      'a drag from nowhere',
      said(call('{"action": "left_click_drag", "coordinate": [3, 4]}')),
      [{ kind: 'wrong', problem: expect.stringContaining('where the drag begins') }],
    ],
    ['waiting too long', said(call('{"action": "wait", "time": 100000}')), [{ type: 'wait', seconds: 60 }]],
    [
      'giving up',
      said(call('{"action": "terminate", "status": "failure"}')),
      [{ kind: 'claim', summary: expect.any(String), success: false }],
    ],
    ['an answer', said(call('{"action": "answer", "text": "42"}')), [{ kind: 'claim', summary: '42', success: true }]],
    [
      'one of our own tools',
      said('<tool_call>{"name": "exec", "arguments": {"command": "ls"}}</tool_call>'),
      [{ type: 'exec', command: 'ls', timeoutSeconds: 60 }],
    ],
    [
      'a finish with proof',
      said(
        '<tool_call>{"name": "finish", "arguments": {"summary": "ok", "checks": [{"check": "file_exists", "path": "/a"}]}}</tool_call>',
      ),
      [
        {
          kind: 'finish',
          summary: 'ok',
          checks: [{ check: 'file_exists', path: '/a', exists: true }],
          timeoutMs: 10_000,
        },
      ],
    ],
    [
      'an unknown action',
      said(call('{"action": "fly"}')),
      [{ kind: 'wrong', problem: 'There is no action called fly.' }],
    ],
    [
      'an unknown tool',
      said('<tool_call>{"name": "teleport", "arguments": {}}</tool_call>'),
      [{ kind: 'wrong', problem: 'There is no action called teleport.' }],
    ],
    [
      'no text to type',
      said(call('{"action": "type"}')),
      [{ kind: 'wrong', problem: expect.stringContaining('what to type') }],
    ],
    ['an empty call', said('<tool_call></tool_call>'), []],
    ['nonsense in a call', said('<tool_call>click it!</tool_call>'), []],
    ['braces without end', said('{{{{{{'.repeat(1000)), []],
  ])('%s', (_what, answer, expected) => {
    expect(meanings(qwen3, answer)).toEqual(expected)
  })
})

describe('Holo', () => {
  test.each<[string, string, unknown[]]>([
    [
      'the usual form',
      '{"note": null, "thought": "t", "tool_call": {"tool_name": "click", "element": "Save", "x": 500, "y": 250}}',
      [click(500, 250)],
    ],
    [
      'its own names for the tools',
      '{"thought": "t", "tool_call": {"tool_name": "click_desktop", "x": 500, "y": 250}}',
      [click(500, 250)],
    ],
    [
      'arguments inside',
      '{"thought": "t", "tool_call": {"tool_name": "click", "arguments": {"x": 500, "y": 250}}}',
      [click(500, 250)],
    ],
    [
      'a code fence and words',
      'Sure:\n```json\n{"thought": "t", "tool_call": {"tool_name": "click", "x": 500, "y": 250}}\n```',
      [click(500, 250)],
    ],
    [
      'cut at the end',
      '{"note": "", "thought": "t", "tool_call": {"tool_name": "click", "x": 500, "y": 250',
      [click(500, 250)],
    ],
    [
      'the call as a text',
      '{"tool_call": "{\\"tool_name\\": \\"click\\", \\"x\\": 500, \\"y\\": 250}"}',
      [click(500, 250)],
    ],
    ['only the call', '{"tool_name": "click", "x": 500, "y": 250}', [click(500, 250)]],
    [
      'writing with enter',
      '{"tool_call": {"tool_name": "write", "content": "hi", "press_enter": true}}',
      [{ type: 'type', text: 'hi\n' }],
    ],
    [
      'a hotkey',
      '{"tool_call": {"tool_name": "hotkey", "keys": ["alt", "F4"]}}',
      [{ type: 'key', chord: 'alt+F4', repeat: 1 }],
    ],
    ['no call', '{"note": null, "thought": "hm"}', []],
    ['an empty call', '{"tool_call": null}', []],
    ['words', 'I am lost.', []],
  ])('%s', (_what, text, expected) => {
    expect(meanings(holo, said(text))).toEqual(expected)
  })

  test('note and thought make the thought', () => {
    expect(holo.read(said('{"note": "n", "thought": "t", "tool_call": {"tool_name": "wait"}}')).thought).toBe('t\nn')
  })
})

describe('plain tool calls', () => {
  const calls = (name: string, args: string) => said('so', { calls: [{ id: 'c', name, arguments: args }] })
  test.each<[string, Said, unknown[]]>([
    ['a click', calls('click', '{"x": 10, "y": 20}'), [click(10, 20)]],
    [
      'a click with keys held',
      calls('click', '{"x": 10, "y": 20, "modifiers": ["ctrl"]}'),
      [{ ...click(10, 20), modifiers: ['ctrl'] }],
    ],
    ['numbers as texts', calls('click', '{"x": "10", "y": "20"}'), [click(10, 20)]],
    ['broken arguments', calls('click', '{"x": 10, "y": 20'), [click(10, 20)]],
    ['no arguments', calls('click', ''), [{ kind: 'wrong', problem: expect.stringContaining('where') }]],
    [
      'arguments that are a list',
      calls('click', '[1]'),
      [{ kind: 'wrong', problem: expect.stringContaining('where') }],
    ],
    ['a key', calls('key', '{"keys": "ctrl+s"}'), [{ type: 'key', chord: 'ctrl+s', repeat: 1 }]],
    [
      'a drag',
      calls('drag', '{"from": [1, 2], "to": [3, 4]}'),
      [
        {
          type: 'drag',
          path: [
            { x: 1, y: 2 },
            { x: 3, y: 4 },
          ],
          button: 'left',
        },
      ],
    ],
    ['a call that stands in the text', said('{"name": "click", "parameters": {"x": 10, "y": 20}}'), [click(10, 20)]],
    [
      'an assertion',
      calls('assert', '{"assertion": {"check": "text_visible", "text": "Saved"}}'),
      [{ kind: 'check', assertion: { check: 'text_visible', text: 'Saved', match: 'contains' }, timeoutMs: 10_000 }],
    ],
    [
      'an assertion that is none',
      calls('assert', '{"assertion": "it works"}'),
      [{ kind: 'wrong', problem: expect.stringContaining('input of assert') }],
    ],
  ])('%s', (_what, answer, expected) => {
    expect(meanings(plainTools, answer)).toEqual(expected)
  })
})

describe('the parts', () => {
  test('a model’s name tells its format', () => {
    const ids = [
      'ui-tars-1.5-7b',
      'qwen2.5vl:7b',
      'Qwen/Qwen2.5-VL-7B-Instruct',
      'qwen3-vl:8b',
      'Qwen3.5-9B',
      'Hcompany/Holo3-30B',
      'llava:13b',
    ]
    expect(ids.map((id) => formatFor(id).id)).toEqual([
      'ui-tars-1.5',
      'qwen2.5-vl',
      'qwen2.5-vl',
      'qwen3-vl',
      'qwen3-vl',
      'holo3',
      'tools',
    ])
  })

  test('loose JSON reads what JSON.parse does not', () => {
    expect(looseJson("{'a': True, b: None, 'c': [1, 2,], \"d\": 'x\\u00e9\\n'}")).toEqual({
      a: true,
      b: null,
      c: [1, 2],
      d: 'xé\n',
    })
    expect(firstObject('words { } more {"a": 1')).toEqual({ a: 1 })
    expect(firstObject('nothing')).toBeUndefined()
  })

  test('places are read in every form, and only places', () => {
    expect(readPoint([3, 4])).toEqual({ x: 3, y: 4 })
    expect(readPoint('x=3, y=-4.5')).toEqual({ x: 3, y: -4.5 })
    expect(readPoint({ point: [3, 4] })).toEqual({ x: 3, y: 4 })
    for (const nothing of [[3], 'here', null, undefined, {}, ['a', 'b'], 7]) expect(readPoint(nothing)).toBeNull()
  })

  test('spaces map onto the screen, and what is beside it is not', () => {
    const screen = { width: 1280, height: 800 }
    const thousand = mappingOf('thousand', screen)
    expect(placeOn(thousand, screen, { x: 500, y: 500 })).toEqual({ x: 640, y: 400 })
    expect(placeOn(thousand, screen, { x: 1000, y: 0 })).toEqual({ x: 1279, y: 0 })
    expect(placeOn(thousand, screen, { x: 1200, y: 0 })).toBeNull()
    expect(placeOn(thousand, screen, { x: Number.NaN, y: 0 })).toBeNull()
    const half = mappingOf('pixels', { width: 640, height: 400 })
    expect(placeOn(half, screen, { x: 320, y: 200 })).toEqual({ x: 641, y: 401 })
  })
})
