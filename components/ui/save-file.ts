export const saveFile = (name: string, text: string, type: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};

export const saveCsv = (name: string, csv: string): void => saveFile(name, csv, 'text/csv');
