import allMakers from './all-makers.json';
import { addMakers } from './maker';

// A module of its own, because the table is 110 KB compressed: a server imports it, a browser when it first shows a VIN.
addMakers(allMakers.makers);
