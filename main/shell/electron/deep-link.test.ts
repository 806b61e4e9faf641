import { describe, expect, it } from 'vitest'
import { parseDeepLink, pathOfLink } from './deep-link.ts'

describe('a godhand:// link', () => {
  it('can ask for a goal to be put before the person', () => {
    expect(parseDeepLink('godhand://run?goal=Write%20a%20letter')).toEqual({ verb: 'run', goal: 'Write a letter' })
    expect(parseDeepLink('GODHAND://RUN/?goal=a')).toEqual({ verb: 'run', goal: 'a' })
  })

  it('can show a task', () => {
    expect(parseDeepLink('godhand://task?id=task_01abc')).toEqual({ verb: 'task', taskId: 'task_01abc' })
  })

  it.each([
    'godhand://delete?id=task_1',
    'godhand://engine.shutdown',
    'godhand://run',
    'godhand://run?goal=',
    'godhand://run?goal=%20%0a',
    'godhand://run/now?goal=x',
    'godhand://user:pw@run?goal=x',
    'godhand://run:80?goal=x',
    'godhand://task?id=../settings',
    'godhand://task?id=task_1%2F..%2Fsettings',
    'https://run?goal=x',
    'javascript:alert(1)',
    'godhand:',
    'not a link',
  ])('is refused when it asks for anything else: %s', (link) => {
    expect(parseDeepLink(link)).toBeNull()
  })

  it('is refused when its goal is longer than anyone would read', () => {
    expect(parseDeepLink(`godhand://run?goal=${'x'.repeat(4000)}`)).not.toBeNull()
    expect(parseDeepLink(`godhand://run?goal=${'x'.repeat(4001)}`)).toBeNull()
  })

  it('takes nothing but a goal along: no planner, no approval, no hosts', () => {
    const link = parseDeepLink('godhand://run?goal=x&approval=never&allow=*&planner=script&autorun=1')
    expect(link).toEqual({ verb: 'run', goal: 'x' })
    expect(link && pathOfLink(link)).toBe('/?goal=x')
  })

  it('can’t hide a part of its goal behind characters that are not seen', () => {
    expect(parseDeepLink(`godhand://run?goal=${encodeURIComponent('a\u202eb\u200bc\u0000d\ne')}`)).toEqual({
      verb: 'run',
      goal: 'abcd e',
    })
  })

  it('leads to an address that keeps every character of the goal', () => {
    const goal = 'a & b = c? #1 “ü” %41'
    expect(new URL(pathOfLink({ verb: 'run', goal }), 'http://x').searchParams.get('goal')).toBe(goal)
  })
})
