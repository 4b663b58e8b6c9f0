// What is used of qrcode-generator.
type Code = { addData(data: string): void; make(): void; getModuleCount(): number; isDark(row: number, column: number): boolean };
declare const qrcode: (type: number, level: 'L' | 'M' | 'Q' | 'H') => Code;
export default qrcode;
