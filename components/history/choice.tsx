import styles from './history.module.css';

interface ChoiceProps {
  label: string;
  value: string;
  choices: readonly { value: string; label: string }[];
  onChoose: (value: string) => void;
}

/** A choice of what a report shows. */
export const Choice = ({ label, value, choices, onChoose }: ChoiceProps) => (
  <label className={styles.choice}>
    <span>{label}</span>
    <select className="lh-select" value={value} onChange={({ target }) => onChoose(target.value)}>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  </label>
);
