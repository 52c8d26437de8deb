-- Writes lib/identity/all-makers.json from the same database as vin-makers.sql, which says where it is from:
--   sqlite3 vpic.lite.db < scripts/data/all-makers.sql > lib/identity/all-makers.json
-- Every maker of trucks, buses, trailers, incomplete and multipurpose vehicles by its identifier: three characters, or six of a
-- maker of fewer than 1,000 vehicles a year (characters 1 to 3 and 12 to 14 of the VIN). Several makes are divided by "|".
select json_object(
  'source', 'NHTSA Product Information Catalog (vPIC), https://vpic.nhtsa.dot.gov/api; public domain',
  'date', (select max(substr(UpdatedOn, 1, 10)) from Wmi),
  'makers', (select json_group_object(wmi, makes) from (
    select wmi, group_concat(make, '|') as makes from (
      select distinct w.Wmi as wmi, replace(trim(k.Name), '|', ' ') as make
      from Wmi w join Wmi_Make wm on wm.WmiId = w.Id join Make k on k.Id = wm.MakeId
      where w.VehicleTypeId in (3, 5, 6, 7, 10) and trim(k.Name) not in ('ND', 'ZZKNOWN')
      order by w.Wmi, make
    ) group by wmi order by wmi))
);
