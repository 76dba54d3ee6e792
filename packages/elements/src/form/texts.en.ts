export const texts = {
  send: 'Send',
  thanks: 'Thank you! We have received it.',
  changed:
    'This form was changed while you filled it in. What you entered is kept: please look at it and send it again.',
  closed: 'This form does not take anything at present.',
  choose: 'Please choose',
  stars: '{n} of {max}',
  oneMore: 'Fill in the form once more',
  noForm: 'This element does not know its form. Set the attribute “form”.',
}

export type FormKey = keyof typeof texts
