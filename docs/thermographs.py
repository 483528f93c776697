"""Draw the thermographs shown in the documentation: python docs/thermographs.py"""

from pathlib import Path

from gridlock.values import Value, thermograph_svg

IMAGES = Path(__file__).parent / "images"
PICTURES = {"switch": "{5|1}", "threat": "{4|{2|-1}}", "sente": "{{10|0}|-1}", "star": "*"}

if __name__ == "__main__":
    for name, value in PICTURES.items():
        (IMAGES / f"thermograph-{name}.svg").write_text(thermograph_svg(Value(value)), encoding="utf-8")
