-- Writes lib/identity/vin-makers.json from NHTSA's Product Information Catalog (vPIC), which NHTSA publishes as a
-- database at https://vpic.nhtsa.dot.gov/api and which is in the public domain. In its SQLite form:
--   sqlite3 vpic.lite.db < scripts/data/vin-makers.sql > lib/identity/vin-makers.json
-- Identifiers of three characters only: those of six belong to makers of fewer than 1,000 vehicles a year.
with
  kinds (id, kind) as (
    values (2, 'light'), (7, 'light'), (3, 'complete'), (5, 'complete'), (6, 'trailer'), (10, 'chassis')
  ),
  -- Identifiers of vehicles of over 10,000 lb too, in whose VINs the seventh character may be a digit in any year. The catalog
  -- gives the weight by a brake code that all models of some makers share: where at least 30 patterns since 2010 have a letter
  -- there, and none has a digit, all of them are light.
  patterns as (
    select w.Wmi as wmi, p.Keys as keys, p.ElementId as element, cast(p.AttributeId as integer) as value,
      ws.YearFrom >= 2010 as is_new
    from Wmi w join Wmi_VinSchema ws on ws.WmiId = w.Id join Pattern p on p.VinSchemaId = ws.VinSchemaId
    where w.VehicleTypeId in (2, 7)
  ),
  heavy_vans (wmi) as (
    select wmi from patterns group by wmi having
      -- Sprinters, of which there are heavy ones under each of their identifiers.
      wmi in ('WD4', 'WDR') or sum(is_new and (keys glob '???[0-9]*' or keys glob '???[[][0-9]*') and instr(substr(keys, 1, 3), '[') = 0) > 0
      or (
        sum(element = 25 and value between 4 and 9) > 0
        and sum(is_new and keys glob '???[A-Z]*' and instr(substr(keys, 1, 3), '[') = 0) < 30
      )
  ),
  -- Pickups and vans of up to 10,000 lb that the catalog lists as trucks.
  light_trucks (wmi) as (values ('NM0'), ('3TM'), ('5TB'), ('5TF'), ('1N6'), ('JN6')),
  -- The catalog's spelling of a make, and the one to show. A trailer maker that is not here is left out.
  names (catalog, shown, is_trailer) as (
    values
      ('Volvo Truck', 'Volvo', 0), ('Sterling Truck', 'Sterling', 0), ('NovaBUS', 'Nova Bus', 0),
      ('Thomas Built', 'Thomas Built Buses', 0), ('WHITEGMC', 'White GMC', 0),
      ('Sprinter (Dodge or Freightliner)', 'Sprinter', 0), ('Spartan Motors Chassis', 'Spartan', 0),
      ('Crane Carrier Company (CCC)', 'Crane Carrier', 0), ('Kalmar Industries LLC', 'Kalmar', 0),
      ('Utilimaster Motor Corporation', 'Utilimaster', 0), ('Autocar Industries', 'Autocar', 0),
      ('Autocar Ltd', 'Autocar', 0),
      ('Wabash', 'Wabash', 1), ('WABASH TANKS', 'Wabash', 1),
      ('Great Dane Trailers', 'Great Dane', 1), ('Utility Trailer Manufacturer', 'Utility', 1), ('UTILITY', 'Utility', 1),
      ('Hyundai Translead Trailers', 'Hyundai Translead', 1), ('Hyundai Steel Industries, Inc.', 'Hyundai Translead', 1),
      ('Stoughton Trailers', 'Stoughton', 1), ('VANGUARD NATIONAL TRAILER CORPORTATION (VNTC)', 'Vanguard', 1),
      ('VANGUARD REFRIGERATED TRAILER CO.,LTD.', 'Vanguard', 1), ('Strick Commercial Trailer', 'Strick', 1),
      ('Fontaine Trailer', 'Fontaine', 1), ('Fontaine Trailer Co.', 'Fontaine', 1),
      ('Fontaine Specialized Inc', 'Fontaine', 1), ('TRAIL KING INDUSTRIES', 'Trail King', 1),
      ('WILSON', 'Wilson', 1), ('Wilson Trailer Co.', 'Wilson', 1), ('Timpte, INC', 'Timpte', 1),
      ('MAC TRAILER MANUFACTURING', 'MAC Trailer', 1), ('Dorsey', 'Dorsey', 1), ('Heil Trailer International', 'Heil', 1),
      ('Polar Tank Trailer', 'Polar', 1), ('MANAC', 'Manac', 1), ('Manac Trailers USA', 'Manac', 1),
      ('Reitnouer Inc', 'Reitnouer', 1), ('East Manufacturing CORP.', 'East', 1), ('Talbert', 'Talbert', 1),
      ('Landoll Corporation', 'Landoll', 1), ('CHEETAH CHASSIS', 'Cheetah', 1),
      ('PRATT INTERMODAL CHASSIS LLC', 'Pratt', 1), ('Pratt Industries', 'Pratt', 1), ('Kentucky', 'Kentucky', 1),
      ('Featherlite Trailers', 'Featherlite', 1), ('COTTRELL', 'Cottrell', 1), ('Beall Trailers', 'Beall', 1),
      ('Wells Cargo', 'Wells Cargo', 1), ('Haulmark', 'Haulmark', 1)
  ),
  pairs as (
    select distinct w.Wmi as wmi, coalesce(names.shown, trim(k.Name)) as make,
      case when w.Wmi in (select wmi from light_trucks) then 'light' else kinds.kind end as kind
    from Wmi w
    join kinds on kinds.id = w.VehicleTypeId
    join Wmi_Make wm on wm.WmiId = w.Id
    join Make k on k.Id = wm.MakeId
    left join names on names.catalog = trim(k.Name)
    where length(w.Wmi) = 3 and trim(k.Name) not in ('ND', 'ZZKNOWN') and (kinds.kind <> 'trailer' or names.is_trailer = 1)
  ),
  models as (
    select distinct coalesce(names.shown, trim(k.Name)) as make, trim(mo.Name) as model
    from Wmi w
    join Wmi_VinSchema ws on ws.WmiId = w.Id
    join Pattern p on p.VinSchemaId = ws.VinSchemaId and p.ElementId = 28
    join Model mo on mo.Id = cast(p.AttributeId as integer)
    join Make_Model mm on mm.ModelId = mo.Id
    join Make k on k.Id = mm.MakeId
    left join names on names.catalog = trim(k.Name)
    where w.VehicleTypeId in (3, 5, 10) and length(w.Wmi) = 3 and length(trim(mo.Name)) between 3 and 14
      and trim(mo.Name) not like '% %'
      and k.Name in (
        'Autocar', 'Blue Bird', 'Chevrolet', 'Dodge', 'Ford', 'Freightliner', 'GMC', 'Hino', 'IC Bus', 'International',
        'Isuzu', 'Kenworth', 'Mack', 'Mercedes-Benz', 'Mitsubishi Fuso', 'Peterbilt', 'Ram', 'Sterling Truck',
        'Volvo Truck', 'Western Star'
      )
  )
select json_object(
  'source', 'NHTSA Product Information Catalog (vPIC), https://vpic.nhtsa.dot.gov/api; public domain',
  'date', (select max(substr(UpdatedOn, 1, 10)) from Wmi),
  'wmis', (select json_group_object(make, wmis) from
    (select make, group_concat(wmi, ' ') as wmis from (select distinct make, wmi from pairs order by make, wmi) group by make)),
  'light', (select group_concat(wmi, ' ') from
    (select wmi from pairs where wmi not in (select wmi from heavy_vans)
      group by wmi having min(kind) = 'light' and max(kind) = 'light' order by wmi)),
  'chassis', (select group_concat(wmi, ' ') from (select distinct wmi from pairs where kind = 'chassis' order by wmi)),
  'models', (select json_group_object(make, names) from
    (select make, group_concat(model, ' ') as names from (select make, model from models order by make, model) group by make))
);
