import type { Texts } from '../base/texts.ts'
import type { CommentsKey } from './texts.en.ts'

export const texts: Texts<CommentsKey> = {
  title: 'Comentarios',
  empty: 'Nadie ha escrito nada todavía.',
  write: 'Su comentario',
  reply: 'Responder',
  replyTo: 'Responder a {name}',
  answer: 'Su respuesta a {name}',
  send: 'Enviar',
  files: 'Archivos',
  filesHelp: 'Imágenes y documentos, hasta 25 MiB cada uno',
  like: 'Me gusta',
  likes: 'Me gusta el comentario de {name}, gusta a {n}',
  member: 'Miembro',
  removed: 'Este comentario fue eliminado.',
  pending: '¡Gracias! Un moderador revisará antes su comentario.',
  edited: 'editado',
  locked: 'Este debate está cerrado.',
  logInToWrite: 'Inicie sesión para escribir y valorar.',
  logIn: 'Iniciar sesión',
  arrived: 'Nuevo comentario de {name}',
  noThread: 'Este elemento no conoce su debate. Indique el atributo «thread».',
}
