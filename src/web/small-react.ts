// Stands for 'react' in the pages: the part of its API that the pages use, without what makes it large.
export { createContext } from 'preact'
export { useCallback, useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
